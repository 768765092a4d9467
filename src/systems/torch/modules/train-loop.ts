import type { Operator } from "#core/ir";
import type { SpmdProgram } from "#core/program";

/** The optimizers of `torch.optim`, by those of a text, with the numbers that each is told. */
const classes: Readonly<Record<string, (number: Numbers) => string>> = {
  sgd: (number) => `SGD(model.parameters(), lr=lr${decay(number, 0)})`,
  momentum: (number) =>
    `SGD(model.parameters(), lr=lr, momentum=${number("beta1", 0.9)}${decay(number, 0)})`,
  adam: (number) => `Adam(model.parameters(), lr=lr, ${ofAdam(number)}${decay(number, 0)})`,
  adamw: (number) =>
    `AdamW(model.parameters(), lr=lr, ${ofAdam(number)}, weight_decay=${number("weight_decay", 0.01)})`,
};

type Numbers = (name: string, otherwise: number) => number;

function ofAdam(number: Numbers): string {
  return `betas=(${number("beta1", 0.9)}, ${number("beta2", 0.999)}), eps=${number("eps", 1e-8)}`;
}

function decay(number: Numbers, usual: number): string {
  const given = number("weight_decay", usual);
  return given === usual ? "" : `, weight_decay=${given}`;
}

/**
 * A loop of training steps by the optimizer of the text, to stand beside `parallelize`; nothing where
 * the text does not train, or sums gradients over parts of a batch.
 */
export function trainLoop(program: SpmdProgram): string {
  const updates = program.graph.operators.filter(({ phase }) => phase === "update");
  const update = updates.find(({ op }) => classes[op] !== undefined);
  if (update === undefined || program.microbatches !== undefined) return "";
  const number = numbersOf(update);
  return `

def train(model, batches, loss_of, lr=${number("lr", 0.001)}):
    optimizer = torch.optim.${classes[update.op]?.(number)}
    for batch in batches:  # the rows of this rank
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.detach()
`;
}

function numbersOf({ attributes }: Operator): Numbers {
  return (name, otherwise) => {
    const given = attributes[name];
    return typeof given === "number" ? given : otherwise;
  };
}
