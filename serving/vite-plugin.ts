import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream";
import type { Plugin } from "vite";
import { compressFolder, contentTypes, encodings } from "./compress.ts";

/**
 * Compresses a build once, when it is made, and serves the compressed files: nothing is compressed
 * during a visit, and a slow network carries a quarter. Files named after their content are never
 * requested again, so that the browser keeps their compiled code as well.
 */
export function compression(): Plugin {
  return {
    name: "compression",
    writeBundle: async ({ dir }) => {
      if (dir !== undefined) await compressFolder(dir);
    },
    configurePreviewServer({ middlewares, config }) {
      const folder = resolve(config.root, config.build.outDir);
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith("/assets/"))
          response.setHeader("cache-control", "public, max-age=31536000, immutable");
        const compressed = compressedFor(folder, request);
        if (compressed !== undefined) return send(compressed, request, response);
        // A file without a compressed one beside it is sent uncompressed.
        delete request.headers["accept-encoding"];
        next();
      });
    },
  };
}

/** A compressed file that answers a request. */
interface Compressed {
  readonly path: string;
  readonly encoding: string;
  readonly type: string;
  readonly size: number;
  /** Changes when the file is written anew. */
  readonly tag: string;
}

function compressedFor(folder: string, request: IncomingMessage): Compressed | undefined {
  const { method, url = "" } = request;
  const file = method === "GET" ? fileOf(folder, url) : undefined;
  const type = file && contentTypes[extname(file)];
  if (file === undefined || type === undefined) return undefined;
  const accepted = acceptedBy(request);
  for (const { name, end } of encodings) {
    if (!accepted.has(name)) continue;
    const path = `${file}${end}`;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const tag = `W/"${found.size}-${found.mtimeMs}"`;
    return { path, encoding: name, type, size: found.size, tag };
  }
  return undefined;
}

/** The file in a folder under an address; `undefined` if there is none. */
function fileOf(folder: string, url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/);
  try {
    const file = join(folder, decodeURIComponent(path.endsWith("/") ? `${path}index.html` : path));
    return file.startsWith(folder + sep) ? file : undefined;
  } catch {
    return undefined; // no address is written so
  }
}

/** The encodings that the client accepts. */
function acceptedBy({ headers }: IncomingMessage): ReadonlySet<string> {
  const named = String(headers["accept-encoding"] ?? "").split(",");
  return new Set(named.filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each)).map(nameIn));
}

function nameIn(named: string): string {
  const [name = ""] = named.split(";");
  return name.trim();
}

function send(
  { path, encoding, type, size, tag }: Compressed,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader("vary", "accept-encoding");
  response.setHeader("etag", tag);
  if (headers["if-none-match"] === tag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, {
    "content-type": type,
    "content-encoding": encoding,
    "content-length": size,
  });
  // A broken-off visit needs no report.
  pipeline(createReadStream(path), response, () => {});
}
