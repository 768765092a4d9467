import { lookProperties } from "./look-properties.ts";

const sheet = `:root{${Object.entries(lookProperties)
  .map(([name, value]) => `${name}:${value}`)
  .join(";")}}`;

/** Gives the looks of the scene to the style sheet, once for the page. */
export function LookProperties() {
  return <style>{sheet}</style>;
}
