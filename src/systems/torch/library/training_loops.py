# Packages that run a training loop for a text, as one step of it: Accelerate, Lightning, DeepSpeed.
import torch
from torch import nn
from torch._operators import unknown
from torch.distributed import _say_not_read
from torch.nn.parallel import DistributedDataParallel
from torch.distributed.fsdp import FullyShardedDataParallel

class Beside:
    def __enter__(self):
        return self
    def __exit__(self, *args):
        pass

class Accelerator:
    device = "cuda"
    is_main_process = True
    is_local_main_process = True
    sync_gradients = True
    num_processes = 1
    process_index = 0
    local_process_index = 0
    def __init__(self, *args, mixed_precision=None, gradient_accumulation_steps=1, **kwargs):
        self.mixed_precision = mixed_precision
        self.gradient_accumulation_steps = gradient_accumulation_steps
    def prepare(self, *args, **kwargs):
        _say_not_read("what accelerate launch is told", "the board shows one process")
        return args[0] if len(args) == 1 else args
    def prepare_model(self, model, *args, **kwargs):
        return model
    def backward(self, loss, **kwargs):
        loss.backward()
    def accumulate(self, *models):
        return Beside()
    def autocast(self, *args):
        if self.mixed_precision == "bf16":
            return torch.autocast("cuda", dtype=torch.bfloat16)
        return torch.autocast("cuda", dtype=torch.float16) if self.mixed_precision == "fp16" else Beside()
    def unwrap_model(self, model, *args, **kwargs):
        return model
    def gather(self, value):
        return value
    def gather_for_metrics(self, value, *args):
        return value
    def reduce(self, value, *args, **kwargs):
        return value
    def clip_grad_norm_(self, parameters, *args):
        return unknown("the norm of gradients")
    def wait_for_everyone(self):
        pass
    def print(self, *args, **kwargs):
        pass
    def log(self, *args, **kwargs):
        pass
    def init_trackers(self, *args, **kwargs):
        pass
    def end_training(self):
        pass
    def save_state(self, *args, **kwargs):
        pass
    def free_memory(self, *args):
        pass

class LightningModule(nn.Module):
    automatic_optimization = True
    current_epoch = 0
    global_step = 0
    def save_hyperparameters(self, *args, **kwargs):
        self.hparams = unknown("self.hparams")
    def log(self, *args, **kwargs):
        pass
    def log_dict(self, *args, **kwargs):
        pass
    def manual_backward(self, loss, *args):
        loss.backward()
    def optimizers(self):
        return optimizer_of(self)
    @property
    def device(self):
        return torch.device("cuda")

class LightningDataModule:
    def __init__(self):
        pass
    def prepare_data(self):
        pass
    def setup(self, stage=None):
        pass
    def save_hyperparameters(self, *args, **kwargs):
        pass

def optimizer_of(model):
    made = model.configure_optimizers()
    while getattr(made, "step", None) is None:
        made = made["optimizer"] if isinstance(made, dict) else made[0]
    return made

def seed_everything(seed=None, **kwargs):
    return seed

class Trainer:
    def __init__(self, *args, devices=1, num_nodes=1, strategy="auto", **kwargs):
        self.ranks = devices * num_nodes if isinstance(devices, int) and devices > 0 else 1
        self.strategy = strategy if isinstance(strategy, str) else type(strategy).__name__.lower()
    def fit(self, model, train_dataloaders=None, val_dataloaders=None, datamodule=None, ckpt_path=None):
        if self.ranks > 1:
            torch.distributed.init_process_group(world_size=self.ranks)
            (FullyShardedDataParallel if "fsdp" in self.strategy else DistributedDataParallel)(model)
        loader = train_dataloaders
        if loader is not None and hasattr(loader, "train_dataloader"):
            datamodule, loader = loader, None
        if loader is None and datamodule is not None:
            datamodule.prepare_data()
            datamodule.setup("fit")
            loader = datamodule.train_dataloader()
        if loader is None:
            loader = model.train_dataloader()
        optimizer = optimizer_of(model)
        for batch in loader:
            made = model.training_step(batch, 0)
            if not model.automatic_optimization:
                return
            loss = made["loss"] if isinstance(made, dict) else made
            loss.backward()
            optimizer.step()
            return
    def test(self, *args, **kwargs):
        return []
    def validate(self, *args, **kwargs):
        return []
    def predict(self, *args, **kwargs):
        return []

class DeepSpeedEngine:
    local_rank = 0
    global_rank = 0
    def __init__(self, model, optimizer):
        self.module = model
        self.optimizer = optimizer
        self.device = torch.device("cuda")
    def __call__(self, *args, **kwargs):
        return self.module(*args, **kwargs)
    def backward(self, loss, **kwargs):
        loss.backward()
    def step(self, *args, **kwargs):
        self.optimizer.step()
    def zero_grad(self):
        pass
    def train(self, mode=True):
        return self
    def eval(self):
        return self
    def parameters(self):
        return self.module.parameters()
    def save_checkpoint(self, *args, **kwargs):
        pass

class Initialize:
    def __call__(self, args=None, model=None, optimizer=None, model_parameters=None, training_data=None, lr_scheduler=None, **kwargs):
        _say_not_read("the configuration of DeepSpeed", "the board shows one process, without ZeRO")
        if optimizer is None:
            optimizer = torch.optim.AdamW(model.parameters())
        loader = None if training_data is None else torch.utils.data.DataLoader(training_data)
        return DeepSpeedEngine(model, optimizer), optimizer, loader, lr_scheduler

initialize = Initialize()

def init_distributed(*args, **kwargs):
    pass
