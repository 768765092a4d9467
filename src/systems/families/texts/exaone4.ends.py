# EXAONE 4 32B: Exaone4Model of transformers 5.24.0, traced by torch 2.13.0.

class Exaone4Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Exaone4DecoderLayer2() if i % 4 == 3 else Exaone4DecoderLayer()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Exaone4Model().to(torch.bfloat16)
y = model(input_ids)

# EXAONE 4 32B: Exaone4ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class Exaone4ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Exaone4Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = Exaone4ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# EXAONE 4 32B: Exaone4ForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class Exaone4ForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Exaone4Model()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Exaone4ForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# EXAONE 4 32B: Exaone4ForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class Exaone4ForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = Exaone4Model()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = Exaone4ForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
