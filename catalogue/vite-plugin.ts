import type { Plugin } from "vite";
import { entriesPage } from "./entries-page.ts";
import { readCatalogue } from "./read-catalogue.ts";

/** The page of the catalogue, to which the app links. */
export const cataloguePage = "diagnostics.html";

/** Writes the entries of the catalogue into its page. */
export function catalogue(root: string): Plugin {
  return {
    name: "catalogue",
    transformIndexHtml: {
      order: "pre",
      handler: (html, { path }) =>
        path === `/${cataloguePage}`
          ? html.replace("<!-- entries -->", () => entriesPage(readCatalogue(root)))
          : html,
    },
  };
}
