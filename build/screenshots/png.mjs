/**
 * Makes a picture of a screen small: 256 colours and one byte a pixel. The most frequent colours stay as they are, which
 * on a screen is nearly every pixel; each other one takes the nearest of them.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of 8 bits a channel, RGB or RGBA without transparency, as a browser writes it. Other forms come back as they are. */
export function withFewColours(png) {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const channels = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || channels === undefined || head[12] !== 0) return png;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = unfiltered(inflateSync(packed), width, height, channels);
  const { palette, indexes } = quantized(pixels, width * height, channels);
  return indexed(width, height, palette, indexes);
}

function chunksOf(png) {
  const chunks = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function unfiltered(raw, width, height, channels) {
  const stride = width * channels;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const source = y * (stride + 1) + 1;
    const start = y * stride;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? out[start + x - channels] : 0;
      const up = y > 0 ? out[start + x - stride] : 0;
      const corner = x >= channels && y > 0 ? out[start + x - stride - channels] : 0;
      out[start + x] = raw[source + x] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function quantized(pixels, count, channels) {
  const colours = new Uint32Array(count);
  const times = new Map();
  for (let index = 0; index < count; index += 1) {
    const at = index * channels;
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    colours[index] = colour;
    times.set(colour, (times.get(colour) ?? 0) + 1);
  }
  const palette = chosen(times);
  const places = new Map(palette.map((colour, index) => [colour, index]));
  const indexes = Buffer.alloc(count);
  for (let index = 0; index < count; index += 1) {
    const colour = colours[index];
    let place = places.get(colour);
    if (place === undefined) places.set(colour, (place = nearest(palette, colour)));
    indexes[index] = place;
  }
  return { palette, indexes };
}

/** Frequent ones, but none that can hardly be told from one chosen before while others have no likeness yet. */
function chosen(times) {
  const sorted = [...times.entries()].toSorted((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const palette = [];
  for (const apart of [300, 60, 0])
    for (const colour of sorted) {
      if (palette.length === 256) return palette;
      const isTaken = palette.some((other) => distance(other, colour) <= apart);
      if (!isTaken && (apart < 300 || times.get(colour) > 3)) palette.push(colour);
    }
  return palette;
}

function nearest(palette, colour) {
  let best = 0;
  for (let index = 1; index < palette.length; index += 1)
    if (distance(palette[index], colour) < distance(palette[best], colour)) best = index;
  return best;
}

function distance(one, other) {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return 3 * red * red + 6 * green * green + blue * blue;
}

function indexed(width, height, palette, indexes) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) indexes.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
