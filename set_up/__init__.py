"""Making a study: new studies, the study file, the steps of set-up, controls, imports."""
