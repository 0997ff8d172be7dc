"""What is told of a study: alerts and the webhook."""
