# RoBERTa: RobertaModel of transformers 5.24.0, traced by torch 2.13.0.

class RobertaPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class RobertaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = RobertaEmbeddings()
        self.encoder = RobertaEncoder()
        self.pooler = RobertaPooler()

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaModel().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class RobertaClassificationHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, num_labels)

    def forward(self, x):
        return self.out_proj(self.dense(x[:, 0]).tanh())

class RobertaForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.classifier = RobertaClassificationHead()

    def forward(self, input_ids):
        return self.classifier(self.roberta(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class RobertaForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.roberta(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class RobertaForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.roberta(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = RobertaForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
