"""Meta-evaluation of judges as the shared tasks on metrics do it: who orders systems as people."""
