"""Ten tasks with four libraries, each as short as its own documents suggest."""
