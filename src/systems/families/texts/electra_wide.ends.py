# ELECTRA, its larger models: ElectraForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class ElectraClassificationHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, num_labels)

    def forward(self, x):
        return self.out_proj(F.gelu(self.dense(x[:, 0])))

class ElectraForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.electra = ElectraModel()
        self.classifier = ElectraClassificationHead()

    def forward(self, input_ids):
        return self.classifier(self.electra(input_ids))

input_ids = Tensor((B, S), "int64")
model = ElectraForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# ELECTRA, its larger models: ElectraForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class ElectraForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.electra = ElectraModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.electra(input_ids))

input_ids = Tensor((B, S), "int64")
model = ElectraForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# ELECTRA, its larger models: ElectraForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class ElectraForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.electra = ElectraModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.electra(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = ElectraForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# ELECTRA, its larger models: ElectraModel of transformers 5.24.0, traced by torch 2.13.0.

class ElectraModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = ElectraEmbeddings()
        self.encoder = ElectraEncoder()

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = ElectraModel().to(torch.bfloat16)
y = model(input_ids)
