# `torch.hub`, of the one repository whose models are read.
import torchvision
from torch._operators import unknown

def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True, skip_validation=False, **options):
    if repo_or_dir.split(":")[0] != "pytorch/vision":
        return unknown("torch.hub.load()", *args)
    return getattr(torchvision.models, model)(*args, **options)
