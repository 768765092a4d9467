# The trainer of transformers as one step of its loop, with the defaults of transformers 5.
import torch
from torch import nn
from torch._operators import parameters_of, unknown
from torch.distributed import _say_not_read
from torch.utils.data import DataLoader

class TrainingArguments:
    def __init__(self, output_dir=None, *, per_device_train_batch_size=8, gradient_accumulation_steps=1, bf16=False, fp16=False, learning_rate=5e-5, weight_decay=0.0, adam_beta1=0.9, adam_beta2=0.999, adam_epsilon=1e-8, optim="adamw_torch", gradient_checkpointing=False, fsdp=None, deepspeed=None, **others):
        self.output_dir = output_dir
        self.per_device_train_batch_size = per_device_train_batch_size
        self.train_batch_size = per_device_train_batch_size
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.bf16 = bf16
        self.fp16 = fp16
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.betas = (adam_beta1, adam_beta2)
        self.adam_epsilon = adam_epsilon
        self.optim = optim
        self.gradient_checkpointing = gradient_checkpointing
        self.fsdp = fsdp
        self.deepspeed = deepspeed
        self.device = torch.device("cuda")
        for name in others:
            setattr(self, name, others[name])
        for name, value in (("fsdp", fsdp), ("deepspeed", deepspeed)):
            if value:
                _say_not_read(name + " of TrainingArguments", "the board shows one process")
    def __getattr__(self, name):
        return unknown("args." + name)

class Trainer:
    def __init__(self, model=None, args=None, data_collator=None, train_dataset=None, eval_dataset=None, processing_class=None, model_init=None, compute_loss_func=None, compute_metrics=None, callbacks=None, optimizers=(None, None), **others):
        self.model = model if model is not None else model_init()
        self.args = args if args is not None else TrainingArguments()
        self.data_collator = data_collator
        self.train_dataset = train_dataset
        self.eval_dataset = eval_dataset
        self.processing_class = processing_class
        self.optimizer, self.lr_scheduler = optimizers
    def get_train_dataloader(self):
        return DataLoader(self.train_dataset, batch_size=self.args.per_device_train_batch_size, collate_fn=self.data_collator)
    def create_optimizer(self):
        if self.optimizer is None:
            made = {"lr": self.args.learning_rate, "weight_decay": self.args.weight_decay}
            if self.args.optim == "sgd":
                self.optimizer = torch.optim.SGD(self.model.parameters(), **made)
            elif str(self.args.optim).startswith("adamw"):
                self.optimizer = torch.optim.AdamW(self.model.parameters(), betas=self.args.betas, eps=self.args.adam_epsilon, **made)
            else:
                self.optimizer = getattr(torch.optim, self.args.optim.capitalize())(self.model.parameters(), **made)
        return self.optimizer
    def compute_loss(self, model, inputs, return_outputs=False, **others):
        outputs = model(**inputs)
        if isinstance(outputs, dict):
            loss = outputs["loss"]
        elif isinstance(outputs, (tuple, list)):
            loss = outputs[0]
        else:
            loss = outputs.loss
        return (loss, outputs) if return_outputs else loss
    def train(self, *args, **kwargs):
        said = self.args
        if said.gradient_checkpointing and hasattr(self.model, "gradient_checkpointing_enable"):
            self.model.gradient_checkpointing_enable()
        low = torch.bfloat16 if said.bf16 else torch.float16
        optimizer = self.create_optimizer()
        batch = next(iter(self.get_train_dataloader()))
        # Of more than one pass before a step the further ones are as the first.
        for part in range(min(2, said.gradient_accumulation_steps)):
            with torch.autocast("cuda", dtype=low, enabled=bool(said.bf16 or said.fp16)):
                loss = self.compute_loss(self.model, self.inputs_of(batch))
            loss.backward()
        optimizer.step()
        # The loop goes on: its further steps are left out, which is said.
        optimizer.step()
        return unknown("trainer.train()")
    def inputs_of(self, batch):
        if isinstance(batch, dict):
            return batch
        names = parameters_of(self.model.forward) if isinstance(self.model, nn.Module) else []
        return {name: batch[name] for name in names if name in ("input_ids", "labels", "pixel_values")}
    def evaluate(self, *args, **kwargs):
        return unknown("trainer.evaluate()")
    def predict(self, *args, **kwargs):
        return unknown("trainer.predict()")
    def save_model(self, *args, **kwargs):
        pass
    def add_callback(self, *args):
        pass
    def log_metrics(self, *args, **kwargs):
        pass
    def save_metrics(self, *args, **kwargs):
        pass
    def save_state(self):
        pass
    def push_to_hub(self, *args, **kwargs):
        pass
