import { unzipSync } from "fflate";

/** A fault of an archive, in words. */
export class ArchiveFault extends Error {}

/** Most entries that an archive may have: one a weight, and some more. */
const mostEntries = 50_000;

/** Most bytes of the program in an archive, unpacked. */
const mostBytes = 64 * 1024 * 1024;

/** The program among the entries of what `torch.export.save` writes. */
const programName = /(?:^|\/)models\/[^/]+\.json$/u;

/** Before torch 2.8 it was one file at the root. */
const earlierName = /(?:^|\/)serialized_exported_program\.json$/u;

/**
 * The bytes of the program in an archive of `torch.export.save`. No other entry is unpacked, and no
 * more than the entry says that it has.
 *
 * @throws ArchiveFault
 */
export function programIn(bytes: Uint8Array): Uint8Array {
  let count = 0;
  const names: string[] = [];
  const found = unpacked(bytes, ({ name, originalSize }) => {
    count += 1;
    if (count > mostEntries) throw new ArchiveFault("it has more than 50,000 entries");
    const isProgram = programName.test(name) || earlierName.test(name);
    if (!isProgram) return false;
    if (names.length > 0) throw new ArchiveFault("it holds several programs");
    if (originalSize > mostBytes) throw new ArchiveFault("its program has more than 64 MiB");
    names.push(name);
    return true;
  });
  const [text] = Object.values(found);
  if (text === undefined) throw new ArchiveFault("it holds no exported program of PyTorch");
  return text;
}

type Filter = NonNullable<NonNullable<Parameters<typeof unzipSync>[1]>["filter"]>;

/** What the reader of archives throws of its own is a fault of the bytes. */
function unpacked(bytes: Uint8Array, filter: Filter): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (fault) {
    if (fault instanceof ArchiveFault) throw fault;
    throw new ArchiveFault("it is no whole archive");
  }
}
