# Nemotron 4 and Minitron: NemotronModel of transformers 5.24.0, traced by torch 2.13.0.

class NemotronModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([NemotronDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = NemotronLayerNorm1P()

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = NemotronModel().to(torch.bfloat16)
y = model(input_ids)

# Nemotron 4 and Minitron: NemotronForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class NemotronForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = NemotronModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = NemotronForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# Nemotron 4 and Minitron: NemotronForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class NemotronForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = NemotronModel()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = NemotronForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# Nemotron 4 and Minitron: NemotronForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class NemotronForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = NemotronModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = NemotronForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
