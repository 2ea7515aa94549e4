-- The embedded engine's program has a function of this name that lets any user read any file. A server restricts it, so
-- this definition is only for the embedded engine (see embedded.xml).
CREATE FUNCTION file AS (path) -> throwIf(path = path, 'The function file() is not available')
