"""The Human Evaluation Datasheet of a study (HEDS 2.0, Shimorina and Belz 2022): filled in as far
as the study knows, the rest by its editors."""
