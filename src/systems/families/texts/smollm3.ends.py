# SmolLM 3: SmolLM3Model of transformers 5.24.0, traced by torch 2.13.0.

class SmolLM3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            SmolLM3DecoderLayer2() if (i + 1) % no_rope_layer_interval == 0 else SmolLM3DecoderLayer()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = SmolLM3Model().to(torch.bfloat16)
y = model(input_ids)

# SmolLM 3: SmolLM3ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 128004

class SmolLM3ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = SmolLM3Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = SmolLM3ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# SmolLM 3: SmolLM3ForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class SmolLM3ForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = SmolLM3Model()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = SmolLM3ForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# SmolLM 3: SmolLM3ForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class SmolLM3ForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = SmolLM3Model()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = SmolLM3ForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
