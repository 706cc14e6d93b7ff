-- SPDX-License-Identifier: GPL-2.0-only
-- Work for an interpreter that keeps many of its functions busy, none of them alone: each item
-- below is a few milliseconds of one kind. The argument says how many rounds of all of them.
local words = {}
for i = 1, 200 do
	words[i] = string.format("%s%d", ("word"):rep(i % 5 + 1), i * 7919 % 1000)
end
local text = table.concat(words, " ")

local point = {}
point.__index = point
point.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, point) end
point.__eq = function(a, b) return a.x == b.x and a.y == b.y end
point.__lt = function(a, b) return a.x < b.x end
point.__concat = function(a, b) return tostring(a) .. tostring(b) end
point.__tostring = function(p) return p.x .. "," .. p.y end
point.__call = function(p, n) return p.x * n end
point.__len = function(p) return p.x end
function point.new(x, y) return setmetatable({ x = x, y = y }, point) end

local work = {
	sort = function()
		local copy = table.move(words, 1, #words, 1, {})
		table.sort(copy)
		table.sort(copy, function(a, b) return #a < #b or #a == #b and a < b end)
	end,
	numbers = function()
		local t, x = {}, 42
		for i = 1, 400 do x = (x * 1103515245 + 12345) % 2147483648; t[i] = x end
		table.sort(t)
	end,
	patterns = function()
		local n = 0
		for w in text:gmatch("(%a+)%d*") do n = n + #w end
		text:gsub("%d+", function(d) return "<" .. d .. ">" end)
		text:gsub("[aeiou]", { o = "0" })
		for i = 1, 40 do text:find("word9" .. i, 1, true); words[i]:match("^(.-)(%d+)$") end
	end,
	strings = function()
		local t = {}
		for i = 1, 150 do
			t[#t + 1] = words[i]:upper():reverse():sub(2, -2):lower()
			t[#t + 1] = string.char(words[i]:byte(1, 6))
		end
		return #table.concat(t, ",")
	end,
	format = function()
		for i = 1, 120 do
			string.format("%5d %-8s %x %5.2f %q", i, words[i], i, i / 7, words[i])
		end
	end,
	convert = function()
		for i = 1, 300 do
			tonumber(tostring(i * 3)); tonumber("0x" .. i); tonumber("1." .. i); tonumber("zz", 36)
			local _ = math.tointeger(i + 0.0), tostring(i + 0.5), math.type(i), "10" + i
		end
	end,
	maths = function()
		local s = 0
		for i = 1, 1000 do
			s = s + math.floor(i / 3) + math.max(i, 7, 3) + math.fmod(i, 7) + i // 4 + i % 5
			s = s + math.abs(-i) + (i & 255 ~ i << 2 | 1) + math.sqrt(i) + i ^ 2
			s = s + math.random(10) + -i // 3.0 % 2.5
		end
		return s
	end,
	tables = function()
		local t = {}
		for i = 1, 200 do table.insert(t, i) end
		for i = 1, 40 do table.insert(t, i, i) end
		for _ = 1, 100 do table.remove(t) end
		for i = 1, 40 do table.remove(t, i) end
		local u = table.pack(table.unpack(t, 1, 50))
		for k, v in pairs(u) do rawset(t, k, v) end
		for i, v in ipairs(t) do rawget(t, i); rawequal(i, v); rawlen(t); select("#", i, v) end
		return next(t), #t
	end,
	hash = function()
		local t = {}
		for i = 1, 300 do t[words[i % 200 + 1] .. i] = i; t[i + 0.5] = i; t[-i] = i end
		for k in pairs(t) do t[k] = nil end
	end,
	objects = function()
		local sum = point.new(0, 0)
		for i = 1, 150 do
			local p = point.new(i, -i)
			sum = sum + p
			if p == sum or p < sum then sum = p .. p and sum end
			p(3); local _ = #p
		end
	end,
	closures = function()
		local function counter(n) return function() n = n + 1; return n end end
		for i = 1, 200 do local c = counter(i); c(); c() end
	end,
	variadic = function()
		local function pass(...) return select(2, ...), ... end
		for i = 1, 300 do pass(i, i, i); pass(table.unpack(words, 1, 8)) end
	end,
	coroutines = function()
		local co = coroutine.wrap(function(a) while true do a = coroutine.yield(a + 1) end end)
		for i = 1, 200 do co(i) end
		for i = 1, 20 do coroutine.resume(coroutine.create(function() return i end)) end
	end,
	errors = function()
		for i = 1, 100 do
			pcall(error, "wrong"); pcall(function() return nil + i end)
			if i % 20 == 0 then xpcall(error, debug.traceback, "x") end
			local c <close> = setmetatable({}, { __close = function() end })
		end
	end,
	pack = function()
		for i = 1, 100 do
			local s = string.pack("<i4I2zs1", i, i, words[i], "abc")
			string.unpack("<i4I2zs1", s)
			for _, c in utf8.codes("aä€") do utf8.char(c) end
			utf8.len("aä€"); utf8.codepoint("aä€", 1, -1)
		end
	end,
	queens = function()
		local n, count, at = 5, 0, {}
		local function place(row)
			if row > n then count = count + 1 return end
			for col = 1, n do
				local ok = true
				for r = 1, row - 1 do
					if at[r] == col or math.abs(at[r] - col) == row - r then ok = false break end
				end
				if ok then at[row] = col; place(row + 1) end
			end
		end
		place(1)
		return count
	end,
	matter = function()
		local t = setmetatable({}, { __mode = "k" })
		for i = 1, 200 do t[{}] = { i, { i } } end
		collectgarbage("step", 20)
	end,
	time = function()
		for i = 1, 20 do os.date("!%Y-%m-%d", i * 86400); os.time({ year = 2000, month = 1, day = i }) end
	end,
}

local names = {}
for name in pairs(work) do names[#names + 1] = name end
table.sort(names)
for _ = 1, argument do
	for _, name in ipairs(names) do work[name]() end
end
