import { readFileSync } from "node:fs";
import { optimizeAnswer } from "./commands/optimize.ts";
const t = process.cpuUsage();
const a = optimizeAnswer({ program: readFileSync(process.argv[2] ?? "", "utf8"), ...(process.argv[3] ? { memoryLimit: Number(process.argv[3]) } : {}) });
const u = process.cpuUsage(t);
console.log(Math.round(u.user / 1e3), "ms", Math.round(process.memoryUsage().rss / 1e6), "MB", JSON.stringify({ ...a, strategies: 0, layouts: 0, reasons: 0, program: 0, rows: 0 }).slice(0, 300));
