"""Who plays when no person does. Each bot sees only what its seat may know; docs/bots.md says how to write one."""
