import { lazy, Suspense } from "react";
import { projectedOperator, shown } from "#app/state";
import { useApp } from "../store-context.tsx";

const OperationDetails = lazy(async () => ({
  default: (await import("./OperationDetails.tsx")).OperationDetails,
}));

/** Imported operation of the selected operator, if the graph was imported. */
export function OperationSection() {
  const operator = useApp(projectedOperator);
  const imported = useApp((state) => shown(state)?.imported);
  const operation = imported?.operations.find((each) => each.operator === operator?.id);
  if (operator === undefined || operation === undefined) return null;
  return (
    <Suspense fallback={null}>
      <OperationDetails name={operator.name} operation={operation} />
    </Suspense>
  );
}
