import type { Document } from "#language/document";
import { systems } from "#systems";
import type { System } from "#systems/system";

/**
 * The system in whose words all operators of a program are written; none for programs of library
 * operators alone, where several are mixed, and for a graph that no program made.
 */
export function systemOf(document: Document): System | undefined {
  if (document.built.operatorOf.size === 0) return undefined;
  return systems.find(({ name, runs }) => document.systems.includes(name) && runs?.owns(document));
}
