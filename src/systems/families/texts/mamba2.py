# Mamba-2: Mamba2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Mamba-2 2.7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 50288
hidden_size = 2560
expand = 2
num_heads = 80
head_dim = 64
n_groups = 1
state_size = 128
conv_kernel = 4
chunk_size = 256
num_hidden_layers = 64
layer_norm_epsilon = 1e-05
tie_word_embeddings = True
use_bias = False
use_conv_bias = True

mesh = Mesh(dp=8, tp=8)

class MambaRMSNormGated(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size * expand))

    def forward(self, x, y):
        B = x.shape[0]
        x2 = (y * F.silu(x.to(torch.float32))).reshape(B, S, n_groups, hidden_size * expand // n_groups)
        return self.weight * F.rms_norm(
            x2, (hidden_size * expand // n_groups,), eps=layer_norm_epsilon
        ).view(B, S, hidden_size * expand)

class Mamba2Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.dt_bias = nn.Parameter(torch.empty(num_heads))
        self.A_log = nn.Parameter(torch.empty(num_heads))
        self.D = nn.Parameter(torch.empty(num_heads))
        self.conv1d = nn.Conv1d(
            hidden_size * expand + 2 * n_groups * state_size,
            hidden_size * expand + 2 * n_groups * state_size,
            conv_kernel,
            padding=conv_kernel - 1,
            groups=hidden_size * expand + 2 * n_groups * state_size,
            bias=use_conv_bias,
        )
        self.in_proj = nn.Linear(
            hidden_size, 2 * hidden_size * expand + 2 * n_groups * state_size + num_heads, bias=use_bias
        )
        self.norm = MambaRMSNormGated()
        self.out_proj = nn.Linear(hidden_size * expand, hidden_size, bias=use_bias)

    def forward(self, x):
        B = x.shape[0]
        first, second, third = self.in_proj(x).split([hidden_size * expand, hidden_size * expand + 2 * n_groups * state_size, num_heads], dim=-1)
        transpose = F.silu(self.conv1d(second.transpose(1, 2))[..., :S]).transpose(1, 2)
        first2, second2, third2 = transpose.split(
            [hidden_size * expand, n_groups * state_size, n_groups * state_size], dim=-1
        )
        clamp = F.softplus(third + self.dt_bias).clamp(min=0.0, max=float("inf"))
        to = first2.reshape(B, S, num_heads, head_dim).to(torch.float32)
        copies = second2.reshape(
            B, S, n_groups, state_size
        ).to(torch.float32).repeat_interleave(num_heads // n_groups, 2, output_size=num_heads)
        copies2 = third2.reshape(
            B, S, n_groups, state_size
        ).to(torch.float32).repeat_interleave(num_heads // n_groups, 2, output_size=num_heads)
        mul = self.D.unsqueeze(1) * F.pad(to, [0, 0, 0, 0, 0, -S % chunk_size, 0, 0], "constant", 0.0)
        pad = F.pad(
            to * clamp.unsqueeze(3).to(torch.float32), [0, 0, 0, 0, 0, -S % chunk_size, 0, 0], "constant", 0.0
        )
        x2 = pad.reshape(B, -(-S // chunk_size), chunk_size, num_heads, head_dim)
        pad2 = F.pad(
            -self.A_log.to(torch.float32).exp() * clamp.to(torch.float32),
            [0, 0, 0, -S % chunk_size, 0, 0],
            "constant",
            0.0,
        )
        x3 = F.pad(
            copies, [0, 0, 0, 0, 0, -S % chunk_size, 0, 0], "constant", 0.0
        ).reshape(B, -1, chunk_size, num_heads, state_size)
        x4 = F.pad(
            copies2, [0, 0, 0, 0, 0, -S % chunk_size, 0, 0], "constant", 0.0
        ).reshape(B, -1, chunk_size, num_heads, state_size)
        permute = pad2.reshape(B, -1, chunk_size, num_heads).permute(0, 3, 1, 2)
        cumsum = permute.cumsum(-1)
        ones = torch.ones([chunk_size, chunk_size], dtype=torch.bool)
        masked_fill = permute.unsqueeze(4).expand(B, num_heads, -(-S // chunk_size), chunk_size, chunk_size).masked_fill(~ones.tril(-1), 0)
        permute2 = masked_fill.cumsum(-2).masked_fill(~ones.tril(), float("-inf")).exp().permute(0, 2, 3, 4, 1)
        einsum = torch.einsum("bclsh,bcshp->bclhp", torch.einsum("bclhn,bcshn->bclsh", x4, x3) * permute2, x2)
        unsqueeze = (cumsum[..., -1:] - cumsum).exp().permute(0, -2, -1, 1).unsqueeze(4)
        einsum2 = torch.einsum("bclhn,bclhp->bchpn", x3 * unsqueeze, x2)
        expand2 = F.pad(cumsum[..., -1], [1, 0]).unsqueeze(3).expand(B, num_heads, -(-S // chunk_size) + 1, -(-S // chunk_size) + 1)
        ones2 = torch.ones([-(-S // chunk_size) + 1, -(-S // chunk_size) + 1], dtype=torch.bool)
        masked_fill2 = expand2.masked_fill(~ones2.tril(-1), 0).cumsum(-2).masked_fill(~ones2.tril(), float("-inf"))
        einsum3 = torch.einsum(
            "bzch,bzhpn->bchpn",
            masked_fill2.exp().transpose(1, 3),
            torch.cat((torch.zeros_like(einsum2[:, :1]), einsum2), dim=1),
        )
        mul2 = torch.einsum(
            "bclhn,bchpn->bclhp", x4, einsum3[:, :-1]
        ) * cumsum.exp().permute(0, 2, 3, 1).unsqueeze(4)
        x5 = ((einsum + mul2).reshape(B, -1, num_heads, head_dim) + mul)[:, :S].reshape(B, S, hidden_size * expand)
        return self.out_proj(self.norm(first, x5).to(torch.bfloat16))

class Mamba2Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(hidden_size, eps=layer_norm_epsilon)
        self.mixer = Mamba2Mixer()

    def forward(self, x):
        return x.to(torch.float32) + self.mixer(self.norm(x))

class Mamba2Block2(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(hidden_size, eps=layer_norm_epsilon)
        self.mixer = Mamba2Mixer()

    def forward(self, x):
        return x + self.mixer(self.norm(x.to(torch.bfloat16)))

class Mamba2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Mamba2Block() if i == 0 else Mamba2Block2()
            for i in range(num_hidden_layers)
        ])
        self.norm_f = nn.RMSNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, ids):
        x = self.embeddings(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm_f(x)

class Mamba2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Mamba2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.backbone.embeddings.weight

    def forward(self, input_ids):
        return self.lm_head(self.backbone(input_ids).to(torch.bfloat16)).to(torch.float32)

input_ids = Tensor((B, S), "int64")
model = Mamba2ForCausalLM().to(torch.bfloat16)
y = model(input_ids)
