import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** What a built page may load and run; styles inline, because the editor injects its own. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "worker-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
].join("; ");

/** Writes the policy into built pages; in development the React plugin needs an inline script. */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: policy },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** The core is pure: what the page does not call need not be loaded with it. */
function hasSideEffects(id: string): boolean {
  return !/\/src\/(core|systems|language|compile|app\/scene)\//.test(id);
}

export default defineConfig({
  base: "./",
  plugins: [react(), contentSecurityPolicy()],
  worker: { format: "es" },
  server: { port: 5173 },
  preview: { port: 4173 },
  build: {
    outDir: "dist",
    target: "es2023",
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { treeshake: { moduleSideEffects: hasSideEffects } },
  },
});
