"""How an account is entered: a sign-in step by step, passwords, second factors, sessions."""
