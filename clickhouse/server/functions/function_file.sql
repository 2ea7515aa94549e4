-- The program of the embedded engine has a function of this name that reads any file, for every user. A server has limits
-- for it, so this definition is for the embedded engine alone (see embedded.xml).
CREATE FUNCTION file AS (path) -> throwIf(path = path, 'The function file() is not available')
