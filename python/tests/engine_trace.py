"""`trace` beside torch: texts that are run with the models' weights. Run by `npm run engines trace`."""

import sys
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
warnings.filterwarnings("ignore")

import torch
import torch.nn as nn
import torch.nn.functional as F

import shardboard
from shardboard.tracing import NotAlike, trace


class Block(nn.Module):
    def __init__(self, width, heads, base):
        super().__init__()
        self.heads, self.base = heads, base
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width), nn.Dropout(0.5))

    def turned(self, x):
        half = x.shape[-1] // 2
        turns = self.base ** (-torch.arange(half, device=x.device).float() / half)
        angle = torch.outer(torch.arange(x.shape[-2], device=x.device).float(), turns)
        angle = torch.cat((angle, angle), dim=-1)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (each.view(batch, length, self.heads, -1).transpose(1, 2) for each in self.qkv(self.norm(x)).split(width, dim=2))
        y = F.scaled_dot_product_attention(self.turned(q), self.turned(k), v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(x)


class GPT(nn.Module):
    def __init__(self, base=100.0, layers=3):
        super().__init__()
        self.embed = nn.Embedding(50, 24)
        self.layers = nn.ModuleList([Block(24, 3, base) for _ in range(layers)])
        self.head = nn.Linear(24, 50, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


IDS = torch.arange(26).view(2, 13)


class Traced(unittest.TestCase):
    def test_a_model_of_ones_own(self):
        text = trace(GPT(), IDS)
        self.assertIn("B, S = 2, 13", text)
        self.assertIn("base=100.0", text)
        self.assertIn("for layer in self.layers:", text)
        self.assertIn("self.head.weight = self.embed.weight", text)
        self.assertIn("Run beside the model", text)

    def test_the_model_is_left_as_it_was(self):
        model = GPT()
        before = {name: value.clone() for name, value in model.state_dict().items()}
        trace(model, IDS)
        self.assertTrue(model.training)
        self.assertTrue(all(bool((before[name] == value).all()) for name, value in model.state_dict().items()))

    def test_angles_as_complex_numbers_are_pairs_of_real_ones(self):
        class Turned(nn.Module):
            def __init__(self):
                super().__init__()
                self.q = nn.Linear(8, 8, bias=False)

            def forward(self, x):
                angle = torch.outer(torch.arange(x.shape[1]).float(), 10.0 ** -torch.arange(4).float())
                turn = torch.polar(torch.ones_like(angle), angle)
                pairs = torch.view_as_complex(self.q(x).float().reshape(*x.shape[:-1], -1, 2))
                return torch.view_as_real(pairs * turn.unsqueeze(0) * 2.0).flatten(2)

        text = trace(Turned(), torch.randn(2, 5, 8))
        self.assertNotIn("complex", text)
        self.assertNotIn("torch.ops", text)
        self.assertIn("Run beside the model", text)

    def test_layers_of_which_some_take_less_are_called_by_one_loop(self):
        class Layer(nn.Module):
            def __init__(self, turns):
                super().__init__()
                self.up, self.turns = nn.Linear(6, 6), turns

            def forward(self, x, y):
                return x + self.up(x * y if self.turns else x)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.own = nn.Linear(6, 6)
                self.layers = nn.ModuleList([Layer(k % 2 == 0) for k in range(6)])

            def forward(self, x):
                y = self.own(x).tanh()
                for layer in self.layers:
                    x = layer(x, y)
                return x

        text = trace(Net(), torch.randn(3, 6))
        self.assertEqual(text.count("for layer in self.layers:"), 1)
        self.assertIn("Run beside the model", text)

    def test_types_and_the_meta_device(self):
        self.assertIn(".to(torch.bfloat16)", trace(GPT().to(torch.bfloat16), IDS))
        with torch.device("meta"):
            model = GPT()
        text = trace(model, torch.zeros(2, 13, dtype=torch.long, device="meta"))
        self.assertIn("Not run beside the model", text)

    def test_on_the_meta_device_masks_and_angles_are_words_too(self):
        try:
            from transformers import LlamaConfig, LlamaForCausalLM
        except ImportError:
            self.skipTest("transformers is not installed")
        with torch.device("meta"):
            model = LlamaForCausalLM(LlamaConfig(vocab_size=50, hidden_size=64, intermediate_size=48, num_hidden_layers=3,
                                                 num_attention_heads=4, num_key_value_heads=2, rope_theta=500000.0)).eval()
        text = trace(model, torch.zeros(2, 13, dtype=torch.long, device="meta"))
        self.assertIn("base=500000.0", text)
        self.assertIn("is_causal=True", text)
        self.assertNotIn("# constant", text)

    def test_neighbours_that_turn_are_the_word_for_pairs(self):
        class Turned(nn.Module):
            def __init__(self, form):
                super().__init__()
                self.form, self.q = form, nn.Linear(16, 16)

            def forward(self, x):
                q = self.q(x).view(*x.shape[:2], 2, 8)
                angle = torch.outer(torch.arange(x.shape[1]).float(), 5000.0 ** (-torch.arange(4).float() / 4))[:, None]
                if self.form == "signs":
                    angle = angle.repeat_interleave(2, -1)
                    return q * angle.cos() + torch.stack((-q[..., 1::2], q[..., ::2]), -1).flatten(-2) * angle.sin()
                if self.form == "complex":
                    turned = torch.view_as_complex(q.reshape(*q.shape[:-1], -1, 2)) * torch.polar(torch.ones_like(angle), angle)
                    return torch.view_as_real(turned).flatten(3)
                first, second = q.unflatten(-1, (4, 2)).unbind(-1)
                return torch.stack((first * angle.cos() - second * angle.sin(), first * angle.sin() + second * angle.cos()), -1).flatten(-2)

        for form in ("signs", "complex", "pairs"):
            text = trace(Turned(form), torch.randn(2, 7, 16))
            self.assertIn("dim=-3, base=5000.0, interleaved=True)", text, form)

    def test_a_word_that_gives_other_numbers_is_written_out(self):
        import shardboard.words as words

        kept = words.rotary
        words.rotary = lambda x, dim=-2, base=1.0: kept(x, dim, base + 7.0)
        try:
            text = trace(GPT(), IDS)
        finally:
            words.rotary = kept
        self.assertNotIn("rotary(", text)
        self.assertIn("Written out: rotary.", text)

    def test_a_text_that_differs_in_the_long_form_too_is_refused(self):
        class Odd(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.randn(4, 4))
                self.hidden = [0]

            def forward(self, x):
                self.hidden[0] += 1
                return x @ self.w + self.hidden[0]

        with self.assertRaises(NotAlike):
            trace(Odd(), torch.randn(3, 4))

    def test_an_operator_without_a_word_is_named_with_count_and_place(self):
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.randn(4, 4))

            def forward(self, x):
                return torch.special.i0(torch.special.i0(x @ self.w))

        text = trace(Net(), torch.randn(3, 4))
        self.assertIn("# No word for special_i0: 2 times, first in the model.", text)
        self.assertIn("torch.ops.aten.special_i0(", text)

    def test_a_link_of_a_trace(self):
        self.assertTrue(shardboard.link(shardboard.trace(GPT(), IDS)).startswith("http"))


if __name__ == "__main__":
    unittest.main()
