-- The users of ClickHouse Cloud, which has no users.d, with the limits and grants of users.d/history.xml. A replica reads a
-- part some time after it was acknowledged, so readers ask for the newest state.

CREATE SETTINGS PROFILE history_api SETTINGS
    readonly = 2,
    select_sequential_consistency = 1 CONST,
    max_execution_time = 600 MIN 1 MAX 604800,
    timeout_overflow_mode = 'throw' CONST,
    max_rows_to_read = 500000000 CONST,
    max_bytes_to_read = 50000000000 CONST,
    read_overflow_mode = 'throw' CONST,
    max_result_rows = 20000000 CONST,
    result_overflow_mode = 'throw' CONST,
    max_memory_usage = 4000000000 CONST,
    max_concurrent_queries_for_user = 1100 CONST;
CREATE SETTINGS PROFILE history_loader SETTINGS select_sequential_consistency = 1, max_memory_usage = 8000000000;
CREATE USER history_api IDENTIFIED WITH sha256_password BY 'a password' SETTINGS PROFILE 'history_api';
CREATE USER history_loader IDENTIFIED WITH sha256_password BY 'a password' SETTINGS PROFILE 'history_loader';
CREATE USER history_admin IDENTIFIED WITH sha256_password BY 'a password' SETTINGS PROFILE 'history_loader';
GRANT SELECT ON history.* TO history_api;
GRANT SELECT ON system.parts TO history_api;
GRANT SELECT, INSERT, ALTER DELETE, ALTER UPDATE ON history.* TO history_loader;
GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, ALTER, SELECT, INSERT, OPTIMIZE ON history.* TO history_admin;
