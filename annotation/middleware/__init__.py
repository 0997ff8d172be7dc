"""What stands between requests and the pages: frames, languages and the security policy."""
