# MPT: MptModel of transformers 5.24.0, traced by torch 2.13.0.

class MptModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, d_model)
        self.blocks = nn.ModuleList([MptBlock() for _ in range(n_layers)])
        self.norm_f = nn.LayerNorm(d_model, eps=layer_norm_epsilon, bias=False)

    def forward(self, input_ids):
        arange = torch.arange(n_heads)
        mul = torch.where(arange < alibi_heads, arange + 1, arange - alibi_heads + 0.5) * (-8)
        mul2 = (2.0 ** (mul / alibi_heads)).unsqueeze(1).unsqueeze(2) * (torch.arange(max_seq_len) - max_seq_len + 1)
        x = self.wte(input_ids)
        for layer in self.blocks:
            x = layer(x, mul2)
        return self.norm_f(x)

input_ids = Tensor((B, S), "int64")
model = MptModel().to(torch.bfloat16)
y = model(input_ids)

# MPT: MptForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class MptForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = MptModel()
        self.score = nn.Linear(d_model, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = MptForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# MPT: MptForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class MptForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = MptModel()
        self.classifier = nn.Linear(d_model, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = MptForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# MPT: MptForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class MptForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = MptModel()
        self.qa_outputs = nn.Linear(d_model, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = MptForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
