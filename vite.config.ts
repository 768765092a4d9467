import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { catalogue, cataloguePage } from "./catalogue/vite-plugin.ts";
import { chunkOfDrawing } from "./late/drawing-chunks.ts";
import { chunkOfPart, lateParts } from "./late/vite-plugin.ts";
import { compression } from "./serving/vite-plugin.ts";

/** What a built page may load and run; styles inline, because the editor injects its own. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // In a sandbox, which has no origin of its own, a text of the page starts the worker.
  "worker-src 'self' blob:",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
].join("; ");

/** Writes the policy into built pages; in development the React plugin needs an inline script. */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: () => [
        {
          tag: "meta",
          attrs: { "http-equiv": "Content-Security-Policy", content: policy },
          injectTo: "head-prepend",
        },
      ],
    },
  };
}

const firstModule = "src/app/early-worker/index.ts";
const firstModules = /src\/app\/(early-worker|worker-start)\//;

/** Names the module that starts the compiler before all others, so that it need not wait for them. */
function compilerFirst(): Plugin {
  return {
    name: "compiler-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { path, bundle = {} }) => {
        if (path !== "/index.html") return [];
        const chunk = Object.values(bundle).find(
          (file) => file.type === "chunk" && file.moduleIds.some((id) => id.endsWith(firstModule)),
        );
        if (chunk === undefined) throw new Error(`${firstModule} is in no chunk of its own`);
        const attrs = { type: "module", crossorigin: true, src: `./${chunk.fileName}` };
        return [{ tag: "script", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}

const workerSource = "src/app/offline/service-worker.js";

/** Writes the service worker with the names of all files, so that the page opens offline too. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const hash = createHash("sha256");
      for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
        hash.update(name).update(file.type === "chunk" ? file.code : file.source);
      }
      const built = Object.keys(bundle).filter((name) => !/\.(map|html)$/.test(name));
      const files = ["./", cataloguePage, "favicon.svg", ...built.sort()];
      const source = readFileSync(workerSource, "utf8")
        .replace("__VERSION__", hash.digest("hex").slice(0, 16))
        .replace(`"__FILES__"`, JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "service-worker.js", source });
    },
  };
}

/** The core is pure: what the page does not call need not be loaded with it. */
function hasSideEffects(id: string): boolean {
  return !/\/src\/(core|systems|language|compile|app\/(language-service|examples|embedding|evidence|scene|share|state|texts))\//.test(
    id,
  );
}

export default defineConfig({
  base: "./",
  plugins: [
    react(),
    catalogue(import.meta.dirname),
    compilerFirst(),
    contentSecurityPolicy(),
    offline(),
    compression(),
  ],
  worker: {
    format: "es",
    plugins: () => [lateParts(import.meta.dirname)],
    rolldownOptions: {
      treeshake: { moduleSideEffects: hasSideEffects },
      output: {
        codeSplitting: {
          groups: [
            {
              name: "worker",
              test: /./,
              tags: ["$initial"],
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { name: chunkOfPart(import.meta.dirname), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { port: 5173 },
  // Any page may hold a board, also one without an origin of its own (a sandbox, a file).
  preview: { port: 4173, cors: { origin: "*" } },
  build: {
    outDir: "dist",
    target: "es2023",
    chunkSizeWarningLimit: 4000,
    // Every browser with WebGPU preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", cataloguePage],
      treeshake: { moduleSideEffects: hasSideEffects },
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: firstModules, priority: 2 },
            {
              name: "page",
              test: /\/src\/|node_modules/,
              tags: ["$initial"],
              priority: 1,
              includeDependenciesRecursively: false,
            },
            {
              name: chunkOfDrawing(import.meta.dirname),
              test: /\/src\/|node_modules/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
