# GPT-J: GPTJModel of transformers 5.24.0, traced by torch 2.13.0.

class GPTJModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.h = nn.ModuleList([GPTJBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.rotary_emb = GPTJRotaryEmbedding()

    def forward(self, input_ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.wte(input_ids)
        for layer in self.h:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.ln_f(x)

input_ids = Tensor((B, S), "int64")
model = GPTJModel().to(torch.bfloat16)
y = model(input_ids)

# GPT-J: GPTJForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class GPTJForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTJModel()
        self.score = nn.Linear(n_embd, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GPTJForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# GPT-J: GPTJForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class GPTJForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTJModel()
        self.qa_outputs = nn.Linear(n_embd, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = GPTJForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
