// Array expressions and names in Python.

export { factorsOf } from "./contraction-code.ts";
export { numpyName, widestFloat } from "./dtypes.ts";
export { atom, bracketed, type Labelled } from "./labelled.ts";
export { cutsPieces, joinedPieces, newParts, spreadPieces, tiledDims } from "./pieces.ts";
export { pythonFunctions } from "./python-functions.ts";
export { axisNames, PythonNames, tuple } from "./python-names.ts";
