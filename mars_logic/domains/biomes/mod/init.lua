-- Answers requests about the map: a line of JSON in, a line of JSON out, over two named pipes in the
-- folder of the world. The server waits for the next request between its steps; when the pipe is
-- closed at the other end, it shuts down. z is told to the south, as in Minecraft: it is -z here.

local folder = minetest.get_worldpath()
local requests, answers
local busy = false

local water_level = tonumber(minetest.get_mapgen_setting("water_level")) or 1
local seed = tonumber(minetest.get_mapgen_setting("seed"))

local function answer(found)
  answers:write(minetest.write_json(found), "\n")
  answers:flush()
  busy = false
end

-- Height of the ground by the noise of map generator v7 without mountains and rivers.
local function noise_params(name)
  local params = minetest.get_mapgen_setting_noiseparams("mgv7_np_" .. name)
  params.seed = params.seed + seed
  return params
end
local base_params, alt_params = noise_params("terrain_base"), noise_params("terrain_alt")
local select_noise = PerlinNoise(noise_params("height_select"))
local persist_noise = PerlinNoise(noise_params("terrain_persist"))

local function noise_height(x, z)
  local at = { x = x, y = z }
  local chosen = math.max(0, math.min(1, select_noise:get_2d(at)))
  local persist = persist_noise:get_2d(at)
  base_params.persist, base_params.persistence = persist, persist
  alt_params.persist, alt_params.persistence = persist, persist
  local base, alt = PerlinNoise(base_params):get_2d(at), PerlinNoise(alt_params):get_2d(at)
  if alt > base then
    return math.floor(alt)
  end
  return math.floor(base * chosen + alt * (1 - chosen))
end

local function biome_at(x, y, z)
  local found = minetest.get_biome_data({ x = x, y = y, z = z })
  return found and minetest.get_biome_name(found.biome) or "none"
end

-- A list of words as the words once and their places, from 0.
local function coded()
  local names, places, codes = {}, {}, {}
  return {
    add = function(name)
      if not places[name] then
        names[#names + 1] = name
        places[name] = #names - 1
      end
      codes[#codes + 1] = places[name]
    end,
    found = function()
      return { names = names, codes = codes }
    end,
  }
end

-- Calls a function once an area is generated and loaded.
local function when_there(low, high, act)
  minetest.emerge_area(low, high, function(_, _, left)
    if left == 0 then
      act()
    end
  end)
end

local function node(x, y, z)
  return minetest.get_node({ x = x, y = y, z = z }).name
end

local function group(name, of)
  return minetest.get_item_group(name, of) > 0
end

local function is_ground(name)
  local kind = minetest.registered_nodes[name]
  if not kind or kind.walkable == false or name == "ignore" then
    return false
  end
  return not (group(name, "tree") or group(name, "leaves") or group(name, "leafdecay"))
end

local function column(x, z, near)
  local trunk = false
  for y = near + 25, near - 40, -1 do
    local name = node(x, y, z)
    if group(name, "water") then
      local bed = y
      while bed > near - 60 and group(node(x, bed, z), "water") do
        bed = bed - 1
      end
      return y + 1, true, trunk, biome_at(x, bed, z)
    elseif is_ground(name) then
      local foot = node(x, y + 1, z)
      return y + 1, false, group(foot, "tree"), biome_at(x, y, z)
    end
  end
  return near - 40, false, true, "none"
end

local handlers = {}

function handlers.biomes()
  local names = {}
  for name in pairs(minetest.registered_biomes) do
    names[#names + 1] = name
  end
  table.sort(names)
  answer({ names = names })
end

function handlers.survey(ask)
  local biomes = coded()
  for a = 0, ask.width - 1 do
    for b = 0, ask.depth - 1 do
      local x, z = ask.x + a * ask.stride, -(ask.z + b * ask.stride)
      biomes.add(biome_at(x, noise_height(x, z), z))
    end
  end
  answer({ biomes = biomes.found() })
end

function handlers.ground(ask)
  -- The start of an episode does not know its height.
  local near = ask.near or noise_height(ask.x, -ask.z)
  local low = { x = ask.x, y = near - 60, z = -(ask.z + ask.depth - 1) }
  local high = { x = ask.x + ask.width - 1, y = near + 30, z = -ask.z }
  when_there(low, high, function()
    local biomes, heights, wets, trunks = coded(), {}, {}, {}
    for a = 0, ask.width - 1 do
      for b = 0, ask.depth - 1 do
        local height, wet, trunk, biome = column(ask.x + a, -(ask.z + b), near)
        heights[#heights + 1] = height
        wets[#wets + 1] = wet and 1 or 0
        trunks[#trunks + 1] = trunk and 1 or 0
        biomes.add(biome)
      end
    end
    answer({ height = heights, wet = wets, blocked = trunks, biomes = biomes.found() })
  end)
end

function handlers.look(ask)
  local x, y, z = ask.x, ask.y, -ask.z
  local ahead_x, ahead_z = math.sin(math.rad(ask.yaw)), math.cos(math.rad(ask.yaw))
  local reach, half = ask.reach, math.floor(ask.rays / 2)
  local wide = reach * 0.75
  local function span(at, ahead)
    local one, other = at + ahead * reach, at
    local side = (1 - math.abs(ahead)) * wide + 8
    return math.floor(math.min(one, other) - side), math.ceil(math.max(one, other) + side)
  end
  local west, east = span(x, ahead_x)
  local south, north = span(z, ahead_z)
  local low, high = { x = west, y = y - 24, z = south }, { x = east, y = y + 40, z = north }
  when_there(low, high, function()
    local blocks, distances = coded(), {}
    for row = 0, ask.rays - 1 do
      local pitch = math.rad((half - row) * ask.step)
      for number = 0, ask.rays - 1 do
        local yaw = math.rad(ask.yaw + (number - half) * ask.step)
        local dx = math.sin(yaw) * math.cos(pitch)
        local dz = math.cos(yaw) * math.cos(pitch)
        local dy = math.sin(pitch)
        local met, far = "air", ask.reach
        for at = 1, ask.reach - 1 do
          local name = node(
            math.floor(x + 0.5 + dx * at),
            math.floor(y + ask.eye + dy * at),
            math.floor(z + 0.5 + dz * at)
          )
          if name ~= "air" and name ~= "ignore" then
            met, far = name, at
            break
          end
        end
        blocks.add(met)
        distances[#distances + 1] = far
      end
    end
    local around, r = coded(), math.floor(ask.around / 2)
    for a = -r, r do
      for h = -1, ask.around - 2 do
        for b = -r, r do
          around.add(node(x + a, y + h, z - b))
        end
      end
    end
    answer({ blocks = blocks.found(), distance = distances, around = around.found() })
  end)
end

minetest.register_globalstep(function()
  if busy then
    return
  end
  if not requests then
    requests = assert(io.open(folder .. "/requests", "r"))
    answers = assert(io.open(folder .. "/answers", "w"))
  end
  local line = requests:read("*l")
  if not line then
    minetest.request_shutdown()
    return
  end
  busy = true
  local ask = minetest.parse_json(line)
  handlers[ask.ask](ask)
end)
