"""The API: each endpoint a plain function, whether a server's HTTP carries it or a browser's worker."""
