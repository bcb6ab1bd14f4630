-- Sends the requests of a file in turns: for wrk, which says how many were answered a second, and how long they took.
--
--   wrk -t1 -c1 -d10 --latency -s post.lua http://127.0.0.1:8080 -- FILE [MILLISECONDS]
--
-- Each line of FILE is a method, a path and a body, as requests.py writes them; a body that begins with "hex:" is bytes. With
-- MILLISECONDS each connection waits so long before a request. Answers that are not 200 are counted and shown at the end.

local requests = {}
local position = 0
local pause

local function bytes(text)
    return (text:gsub("..", function(digits) return string.char(tonumber(digits, 16)) end))
end

function init(arguments)
    for line in io.lines(arguments[1]) do
        local method, path, body = line:match("^(%S+) (%S+) (.*)$")
        local headers = {["Content-Type"] = "application/json"}
        if body:sub(1, 4) == "hex:" then
            headers["Content-Type"] = "application/octet-stream"
            body = bytes(body:sub(5))
        end
        requests[#requests + 1] = wrk.format(method, path, headers, body)
    end
    pause = tonumber(arguments[2])
    if pause then
        function delay() return pause end
    end
end

function request()
    position = position % #requests + 1
    return requests[position]
end

function done(summary)
    local errors = summary.errors
    print(string.format("answers other than 200: %d; failed connections, reads, writes, timeouts: %d, %d, %d, %d",
        errors.status, errors.connect, errors.read, errors.write, errors.timeout))
end
