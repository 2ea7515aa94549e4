import { crc32 } from 'node:zlib';

/** The day from which times in ZIP files count. */
const FIRST_DAY = 0x0021;
const VERSION = 20;

/**
 * A ZIP file (APPNOTE 6.3) of some small files, not compressed: what is served is compressed on its way. The same files
 * give the same bytes.
 */
export function zip(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FIRST_DAY, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = [Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes];
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), version(), common, entry, Buffer.from(name));
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, Buffer.from('PK\x05\x06'), end]);
}

function version(): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(VERSION, 0);
  return bytes;
}
