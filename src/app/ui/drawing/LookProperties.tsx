import { lookProperties } from "./look-properties.ts";

const sheet = `:root{${Object.entries(lookProperties)
  .map(([name, value]) => `${name}:${value}`)
  .join(";")}}`;

/** Style element with the scene's looks as custom properties, once per page. */
export function LookProperties() {
  return <style>{sheet}</style>;
}
