/**
 * Makes of a net's file what the engine reads: `image_of` in wasm/net_image.py, byte for byte.
 *
 * The file is as players/net_files.py saves it: a zip archive of NumPy arrays, with a net in a quarter of its memory
 * (players/values/net_storage.py).
 */
import { FEATURES } from "./records.ts";

/** An array in memory: NumPy's name for its kind of number, its lengths, and its bytes. */
interface Listed {
  kind: string;
  shape: number[];
  bytes: Uint8Array;
}

const TABLES = ["members", "swapped", "facts"];
const ALIGNED = 8; // bytes, on whose multiples arrays begin

/** The image of the net in a file, for `Engine.brain`. Throws RangeError if it is something else. */
export async function expand(content: ArrayBuffer): Promise<Uint8Array> {
  const files = members(content);
  const read = async (name: string) => arrayIn(await unpacked(files, `${name}.npy`));
  const tables = await Promise.all(TABLES.map(read));
  const begun = numbersOf(await read("begins"));
  const rows = files.has("rows.npy") ? floats(await read("rows")) : rowsOf(await read("direct"), await read("hidden"), await read("scales"), begun);
  return imageOf([...tables, begins(begun, rows.shape[1]!), rows]);
}

/** The packed bytes of each file in a zip archive, and whether they are compressed. */
function members(content: ArrayBuffer): Map<string, { bytes: Uint8Array; isCompressed: boolean }> {
  const view = new DataView(content);
  let end = content.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  const found = new Map<string, { bytes: Uint8Array; isCompressed: boolean }>();
  if (end < 0) throw new RangeError("no zip archive");
  let entry = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const [length, extra, comment] = [28, 30, 32].map((place) => view.getUint16(entry + place, true)) as [number, number, number];
    const name = new TextDecoder().decode(new Uint8Array(content, entry + 46, length));
    const local = view.getUint32(entry + 42, true);
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const bytes = new Uint8Array(content, begin, view.getUint32(entry + 20, true));
    found.set(name, { bytes, isCompressed: view.getUint16(entry + 10, true) === 8 });
    entry += 46 + length + extra + comment;
  }
  return found;
}

async function unpacked(files: ReturnType<typeof members>, name: string): Promise<Uint8Array> {
  const file = files.get(name);
  if (!file) throw new RangeError(`no ${name}`);
  if (!file.isCompressed) return file.bytes;
  const stream = new Blob([file.bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The array in a file of NumPy: a line in Python's syntax says what it is, and its numbers follow. */
function arrayIn(file: Uint8Array): Listed {
  const view = new DataView(file.buffer, file.byteOffset);
  const [begin, length] = file[6] === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  const head = new TextDecoder().decode(file.subarray(begin, begin + length));
  const [, kind, order, shape] = /'descr': '[<|](i1|i8|f2|f4)', 'fortran_order': (\w+), 'shape': \(([^)]*)\)/.exec(head) ?? [];
  if (!kind || order !== "False") throw new RangeError(`no array that a net has: ${head}`);
  return { kind, shape: [...shape!.matchAll(/\d+/g)].map(Number), bytes: file.slice(begin + length) };
}

/** The numbers of an array, as JavaScript has them; those of 16 bits have no array in every browser. */
function numbersOf({ kind, bytes }: Listed): ArrayLike<number> {
  if (kind === "i8") return Array.from(new BigInt64Array(bytes.buffer), Number);
  if (kind === "i1") return new Int8Array(bytes.buffer);
  if (kind === "f4") return new Float32Array(bytes.buffer);
  return Array.from(new Uint16Array(bytes.buffer), half);
}

/** A number of 16 bits: its sign, five bits of an exponent, ten of the number. */
function half(bits: number): number {
  const [exponent, part] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? part * 2 ** -24 : (1024 + part) * 2 ** (exponent - 25);
  return bits >> 15 ? -size : size;
}

/** Where the rows of each feature begin, and where all end: a net of an older version has none of the last features. */
function begins(begun: ArrayLike<number>, rows: number): Listed {
  const all = BigInt64Array.from({ length: FEATURES + 1 }, (_, feature) => BigInt(begun[feature] ?? rows));
  return { kind: "i8", shape: [all.length], bytes: new Uint8Array(all.buffer) };
}

/** The rows in a file of an older version, which has them as they are. */
function floats(rows: Listed): Listed {
  return { ...rows, kind: "f4", bytes: new Uint8Array(Float32Array.from(numbersOf(rows)).buffer) };
}

/** The rows of a net: the first number of each as it is; the others are whole, times a scale for each feature and unit. */
function rowsOf(direct: Listed, hidden: Listed, scales: Listed, begun: ArrayLike<number>): Listed {
  const [views, count, units] = hidden.shape as [number, number, number];
  const [first, whole, scale] = [direct, hidden, scales].map(numbersOf) as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
  const rows = new Float32Array(views * count * (1 + units));
  let place = 0;
  for (let view = 0; view < views; view++)
    for (let row = 0, feature = 0; row < count; row++) {
      while (row >= (begun[feature + 1] ?? count)) feature++;
      const [from, by] = [(view * count + row) * units, (view * scales.shape[1]! + feature) * units];
      rows[place++] = first[view * count + row]!;
      for (let unit = 0; unit < units; unit++) rows[place++] = whole[from + unit]! * scale[by + unit]!;
    }
  return { kind: "f4", shape: [views, count, 1 + units], bytes: new Uint8Array(rows.buffer) };
}

/** Numbers of 32 bits first: how many arrays; of each, where it begins, its dimensions, its lengths. Then the arrays. */
function imageOf(arrays: Listed[]): Uint8Array {
  const padded = (size: number) => Math.ceil(size / ALIGNED) * ALIGNED;
  const words = [arrays.length];
  let end = padded(4 * arrays.reduce((sum, { shape }) => sum + 2 + shape.length, 1));
  for (const { shape, bytes } of arrays) {
    words.push(end, shape.length, ...shape);
    end += padded(bytes.length);
  }
  const image = new Uint8Array(end);
  new Int32Array(image.buffer, 0, words.length).set(words);
  for (let nth = 0, place = 1; nth < arrays.length; nth++) {
    image.set(arrays[nth]!.bytes, words[place]);
    place += 2 + arrays[nth]!.shape.length;
  }
  return image;
}
