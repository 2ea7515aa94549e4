# Client of the historical observations service. Needs the packages curl and jsonlite.
#
#   source("http://127.0.0.1:8080/client/r/historical_observations.R")
#   reports <- history_observations("XAAA", "2024-01-01", "2024-02-01")
#
# Each function takes `url` and `key`, or reads them from the environment variables HISTORY_URL and KEY. Further arguments are
# parameters of the endpoint, such as filter = "visib_m < 800"; vectors are joined with commas. Times are POSIXct in UTC. What
# the service refuses is an error of the class history_problem, with its text, and with status, code, request_id and errors.

# How often in a row a request is repeated: seven delays add up to about a minute.
HISTORY_MAX_RETRIES <- 7
# The most seconds that the client waits for Retry-After: a longer time comes from a wrong clock.
HISTORY_MAX_WAIT <- 3600
# Records of one request that every plan allows.
HISTORY_PAGE <- 10000
# Columns of text that may look like numbers, and of times.
HISTORY_TEXTS <- c("id", "station", "type", "parseStatus", "raw", "wx", "clouds", "rvr", "pk_time", "rwy_state", "fltcat", "wind_sector")
HISTORY_TIMES <- c("observedAt", "hour", "date")

# The reports from `from` to before `to`, as a data frame. A day stands for its start in UTC.
history_observations <- function(stations, from, to, include = "decoded", ...) {
  history_frame("observations", stations = stations, from = history_time(from), to = history_time(to), include = include, limit = HISTORY_PAGE, ...)
}

# A question about the archive: select = "mean(temp_c)", by = "month"; or preset = "wind-rose". Days are days of `tz`. Of days:
# of = "days", select = "max(max_temp_c)".
history_statistics <- function(stations, from, to, ...) {
  history_frame("statistics", stations = stations, from = from, to = to, ...)
}

history_series <- function(path) function(stations, from, to, ...) {
  history_frame(path, stations = stations, from = from, to = to, limit = HISTORY_PAGE, ...)
}
# One row for each station and nominal hour, also where nothing was reported. Days are days of `tz`.
history_hourly <- history_series("hourly")
# One row for each day of the station's standard time, each month of such days, or each month of the mean year (and the year):
# fields, filter, order, tz = "utc". `from` and `to` are days; for normals, first days of months.
history_daily <- history_series("daily")
history_monthly <- history_series("monthly")
history_normals <- history_series("normals")

# The stations that the archive knows: country = "DE", q = "frankfurt", near = "50.03,8.57".
history_stations <- function(...) {
  stations <- list()
  cursor <- NULL
  repeat {
    page <- jsonlite::parse_json(rawToChar(history_get("stations", "json", list(..., limit = 1000, cursor = cursor))$content))
    stations <- c(stations, page$data)
    cursor <- page$meta$nextCursor
    # jsonlite::rbind_pages would need the package vctrs.
    if (is.null(cursor)) return(as.data.frame(jsonlite::fromJSON(jsonlite::toJSON(stations, auto_unbox = TRUE, digits = NA))))
  }
}

# What the archive holds of stations: a list with their years, and the days that it lacks.
history_coverage <- function(stations, ...) {
  response <- history_get("coverage", "json", list(stations = stations, ...))
  jsonlite::fromJSON(rawToChar(response$content))$data
}

# All pages of a table as one data frame. Warns of stations whose days are days of UTC because their zone is unknown.
history_frame <- function(path, ...) {
  parameters <- list(...)
  pages <- list()
  in_utc <- NULL
  repeat {
    response <- history_get(path, "csv", parameters)
    pages[[length(pages) + 1]] <- history_columns(response$content)
    headers <- curl::parse_headers_list(response$headers)
    in_utc <- c(in_utc, headers[["x-stations-in-utc"]])
    if (!identical(headers[["x-has-more"]], "true")) break
    parameters$cursor <- headers[["x-next-cursor"]]
  }
  if (length(in_utc) > 0) warning("days in UTC, as the time zone is unknown: ", paste(unique(in_utc), collapse = ","), call. = FALSE)
  # Types after all pages: a column without values on the first page has them on the next.
  frame <- do.call(rbind, pages)
  for (name in names(frame)) frame[[name]] <- history_column(name, frame[[name]])
  frame
}

history_columns <- function(content) {
  text <- rawToChar(content)
  Encoding(text) <- "UTF-8"
  utils::read.csv(text = text, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
}

history_column <- function(name, values) {
  if (name %in% HISTORY_TEXTS) return(values)
  if (name %in% HISTORY_TIMES && any(grepl("T", values))) return(as.POSIXct(sub("Z$", "+0000", sub(":(..)$", "\\1", values)), format = "%Y-%m-%dT%H:%M:%S%z", tz = "UTC"))
  if (name == "date" || grepl("_date$", name)) return(as.Date(values))
  known <- values[!is.na(values)]
  if (length(known) > 0 && all(known %in% c("true", "false"))) return(values == "true")
  utils::type.convert(values, as.is = TRUE)
}

# A whole response with status 200. Repeats the request while its failure may be temporary.
history_get <- function(path, format, parameters) {
  url <- history_setting(parameters$url, "HISTORY_URL", "http://127.0.0.1:8080")
  key <- history_setting(parameters$key, "KEY", "")
  parameters <- parameters[!vapply(parameters, is.null, logical(1)) & !names(parameters) %in% c("url", "key")]
  values <- vapply(parameters, function(value) paste(history_text(value), collapse = ","), "")
  query <- paste0(names(parameters), "=", curl::curl_escape(values), collapse = "&")
  target <- paste0(sub("/$", "", url), "/v1/history/", path, ".", format, "?", query)
  if (format == "json") target <- sub(".json?", "?", target, fixed = TRUE)
  accept <- if (format == "csv") "text/csv" else "application/json"
  retries <- 0
  repeat {
    # The service redirects no request for data, and the key must not go to another host.
    handle <- curl::new_handle(followlocation = FALSE, accept_encoding = "gzip")
    curl::handle_setheaders(handle, Authorization = paste("Bearer", key), Accept = accept)
    response <- tryCatch(curl::curl_fetch_memory(target, handle = handle), error = function(cause) cause)
    failed <- inherits(response, "error")
    if (!failed && response$status_code == 200) return(response)
    temporary <- failed || response$status_code %in% c(429, 502, 503)
    limited <- !failed && response$status_code == 429
    if (!limited) retries <- retries + 1
    if (!temporary || retries > HISTORY_MAX_RETRIES) history_stop(response)
    asked <- if (failed) NULL else curl::parse_headers_list(response$headers)[["retry-after"]]
    seconds <- suppressWarnings(as.numeric(asked))
    if (length(seconds) == 0 || is.na(seconds)) seconds <- 2^retries / 4
    Sys.sleep(min(seconds, HISTORY_MAX_WAIT))
  }
}

# Days and times as the service reads them.
history_text <- function(value) {
  if (inherits(value, "POSIXt")) return(format(value, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"))
  if (is.numeric(value)) format(value, trim = TRUE, scientific = FALSE, digits = 15) else as.character(value)
}

# A day stands for its start in UTC.
history_time <- function(value) {
  text <- history_text(value)
  if (grepl("^\\d{4}-\\d\\d-\\d\\d$", text)) paste0(text, "T00:00:00Z") else text
}

history_setting <- function(given, name, default) {
  if (!is.null(given)) given else Sys.getenv(name, default)
}

history_stop <- function(response) {
  if (inherits(response, "error")) stop(response)
  problem <- tryCatch(jsonlite::fromJSON(rawToChar(response$content)), error = function(cause) list())
  errors <- if (is.data.frame(problem$errors)) paste0("\n", problem$errors$parameter, ": ", problem$errors$detail, collapse = "") else ""
  message <- if (is.null(problem$code)) paste("HTTP status", response$status_code) else paste0(response$status_code, " ", problem$code, ": ", problem$detail, errors)
  stop(structure(
    class = c("history_problem", "error", "condition"),
    list(
      message = message, call = NULL, status = response$status_code, code = problem$code,
      request_id = problem$requestId, errors = problem$errors
    )
  ))
}
