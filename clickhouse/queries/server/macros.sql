-- The names that a server replaces in the paths of replicated tables.
SELECT macro
FROM system.macros
