export { type Answer, type Arguments, badRequest } from "#systems/system";
