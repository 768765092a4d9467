import { unpackWithin } from "../unpack.ts";
import { type ZipEntry, zipEntries } from "./zip.ts";

/** A fault of an archive, in words. */
export class ArchiveFault extends Error {}

/** Most entries of an archive: about one per weight. */
const mostEntries = 50_000;

/** Most bytes of the program after unpacking. */
const mostBytes = 64 * 1024 * 1024;

/** Path of the program in an archive of `torch.export.save`. */
const programName = /(?:^|\/)models\/[^/]+\.json$/u;

/** Path before torch 2.8: one file at the root. */
const earlierName = /(?:^|\/)serialized_exported_program\.json$/u;

/**
 * The bytes of the program in an archive of `torch.export.save`. Only this entry is unpacked, up to
 * its stated size and to 64 MiB.
 *
 * @throws ArchiveFault
 */
export function programIn(bytes: Uint8Array): Uint8Array {
  try {
    return unpacked(programEntry(bytes));
  } catch (fault) {
    if (fault instanceof RangeError) throw new ArchiveFault("it is no whole archive");
    throw fault;
  }
}

function programEntry(bytes: Uint8Array): ZipEntry {
  let count = 0;
  let found: ZipEntry | undefined;
  for (const entry of zipEntries(bytes)) {
    count += 1;
    if (count > mostEntries) throw new ArchiveFault("it has more than 50,000 entries");
    if (!programName.test(entry.name) && !earlierName.test(entry.name)) continue;
    if (found !== undefined) throw new ArchiveFault("it holds several programs");
    found = entry;
  }
  if (found === undefined) throw new ArchiveFault("it holds no exported program of PyTorch");
  return found;
}

function unpacked({ size, isDeflated, packed }: ZipEntry): Uint8Array {
  if (size > mostBytes) throw new ArchiveFault("its program has more than 64 MiB");
  if (!isDeflated) {
    if (packed.length !== size) throw new ArchiveFault("its program is not as long as it says");
    return packed;
  }
  const made = unpackWithin(packed, { by: "deflate", mostBytes: size });
  if (made.kind === "broken") throw new ArchiveFault("it is no whole archive");
  if (made.kind === "too-large") throw new ArchiveFault("its program is longer than it says");
  return made.bytes;
}
