# GPT-NeoX and Pythia: GPTNeoXModel of transformers 5.24.0, traced by torch 2.13.0.

class GPTNeoXModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_in = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([GPTNeoXLayer() for _ in range(num_hidden_layers)])
        self.final_layer_norm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, input_ids):
        x = self.embed_in(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.final_layer_norm(x)

input_ids = Tensor((B, S), "int64")
model = GPTNeoXModel().to(torch.bfloat16)
y = model(input_ids)

# GPT-NeoX and Pythia: GPTNeoXForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class GPTNeoXForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.gpt_neox = GPTNeoXModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.gpt_neox(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GPTNeoXForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# GPT-NeoX and Pythia: GPTNeoXForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class GPTNeoXForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.gpt_neox = GPTNeoXModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.gpt_neox(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTNeoXForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# GPT-NeoX and Pythia: GPTNeoXForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class GPTNeoXForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.gpt_neox = GPTNeoXModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.gpt_neox(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = GPTNeoXForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
