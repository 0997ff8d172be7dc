"""What is done with the data of a study: units, controls, exclusions, adjudication, jobs."""
