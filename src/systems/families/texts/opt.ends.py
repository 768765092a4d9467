# OPT: OPTModel of transformers 5.24.0, traced by torch 2.13.0.

class OPTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = OPTDecoder()

    def forward(self, input_ids):
        return self.decoder(input_ids)

input_ids = Tensor((B, S), "int64")
model = OPTModel().to(torch.bfloat16)
y = model(input_ids)

# OPT: OPTForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 1

class OPTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = OPTDecoder()

    def forward(self, ids):
        return self.decoder(ids)

class OPTForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OPTModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = OPTForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# OPT: OPTForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class OPTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = OPTDecoder()

    def forward(self, ids):
        return self.decoder(ids)

class OPTForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OPTModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.model(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = OPTForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
