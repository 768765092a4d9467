import { useEffect, useState } from "react";
import { gradeResult, type Lesson, type LessonResult, lessonOf } from "#app/lessons";
import type { LessonDesk } from "#app/state";
import type { Compiled } from "#compile";
import { type PastedLink, type ResultRow, readPasted } from "./pasted-results.ts";

/** The graded results, and the number of those still being graded. */
export interface Results {
  readonly rows: readonly ResultRow[];
  readonly left: number;
}

/** Grades pasted results one after the other; a new paste starts anew. */
export function useResults(text: string, desk: LessonDesk | undefined): Results {
  const [results, setResults] = useState<Results>({ rows: [], left: 0 });
  useEffect(() => {
    let isCurrent = true;
    const links = readPasted(text);
    const own = new Map(
      links.flatMap((each) => (each.kind === "lesson" ? [[each.lesson.id, each.lesson]] : [])),
    );
    const given = links.filter(({ kind }) => kind !== "lesson");
    const work = async () => {
      const compile = desk && createCompile(desk);
      const rows: ResultRow[] = [];
      setResults({ rows, left: given.length });
      for (const each of given) {
        if (compile === undefined) return;
        rows.push(await rowOf(each, own, compile));
        if (!isCurrent) return;
        setResults({ rows: [...rows], left: given.length - rows.length });
      }
    };
    void work();
    return () => {
      isCurrent = false;
    };
  }, [text, desk]);
  return results;
}

type Compile = (source: string) => Promise<Compiled | undefined>;

/** The most requests of a text: a newer question may supersede each of them. */
const mostTries = 5;

/** Compiles each text once. */
function createCompile({ compiled }: LessonDesk): Compile {
  const known = new Map<string, Compiled>();
  return async (source) => {
    for (let tries = 0; tries < mostTries && !known.has(source); tries += 1) {
      const found = await compiled(source);
      if (found !== undefined) known.set(source, found);
    }
    return known.get(source);
  };
}

async function rowOf(
  link: PastedLink,
  own: ReadonlyMap<string, Lesson>,
  compile: Compile,
): Promise<ResultRow> {
  const { line, name } = link;
  if (link.kind !== "result") {
    return { line, name, lesson: "", fault: link.kind === "fault" ? link.why : "" };
  }
  const { result } = link;
  const lesson = own.get(result.lesson) ?? lessonOf(result.lesson);
  if (lesson === undefined) {
    const fault = `there is no lesson ${result.lesson}: paste the link of the lesson too`;
    return { line, name, lesson: result.lesson, fault };
  }
  return { line, name, lesson: lesson.title, ...(await gradedOf(result, lesson, compile)) };
}

async function gradedOf(
  result: LessonResult,
  lesson: Lesson,
  compile: Compile,
): Promise<Pick<ResultRow, "graded" | "fault">> {
  const texts = await compiledAll(Object.entries(lesson.texts), compile);
  const plans = await compiledAll([...result.plans], compile);
  if (texts === undefined || plans === undefined) {
    return { fault: "a text of it could not be compiled" };
  }
  return { graded: gradeResult(result, lesson, texts, plans) };
}

async function compiledAll<Key>(
  texts: readonly (readonly [Key, string])[],
  compile: Compile,
): Promise<ReadonlyMap<Key, Compiled> | undefined> {
  const all = new Map<Key, Compiled>();
  for (const [key, source] of texts) {
    const compiled = await compile(source);
    if (compiled === undefined) return undefined;
    all.set(key, compiled);
  }
  return all;
}
