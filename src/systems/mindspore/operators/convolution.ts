import { passed } from "#core/diagnostics";
import { convolvedWhole } from "../primitives/windows.ts";
import { type OperatorRule, refused } from "./call.ts";

/**
 * Convolution: images and channels may be cut, heights and widths not. 2.10 pairs dim 1 of the input
 * with dim 0 of the weight, which are the summed and the made channels; that compiles, and what it
 * computes is wrong where they are cut (its `convolution_info`).
 */
export const convolutionRule: OperatorRule = {
  tuples: (call) => {
    const { op, shapes, strategies } = call;
    const [x = [], weight = []] = strategies;
    if (shapes.length > 2) return refused(`${op} with a bias has no strategy in MindSpore 2.10`);
    if ([...x.slice(2), ...weight.slice(2)].some((pieces) => pieces > 1)) {
      return refused(`${op} cannot be split along height or width`);
    }
    const [images = 1, channels = 1] = x;
    const [made = 1, summed = 1] = weight;
    if (channels !== made) {
      return refused(
        `${op} needs equal strategy values on dim 1 of its input and dim 0 of its weight, but they are ${channels} and ${made}`,
      );
    }
    const links = convolvedWhole(call);
    const inferred = {
      deviceMatrix: [images, channels, summed],
      inputMaps: [
        [2, 1, -1, -1],
        [1, 0, -1, -1],
      ],
      outputs: links.outputs.map((dims) => ({
        shape: dims.map(({ size }) => size),
        map: [2, 0, -1, -1],
      })),
      forward: channels > 1 ? [{ primitive: "AllReduce", axes: [1] } as const] : [],
    };
    if (channels === 1 && summed === 1) return passed(inferred);
    const message = `${op} with channels that are split: MindSpore 2.10 takes the channels that are made for those that are summed, so its values are wrong`;
    return passed(inferred, [{ code: "mindspore/wrong-values", severity: "warning", message }]);
  },
};
