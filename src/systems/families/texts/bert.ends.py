# BERT: BertModel of transformers 5.24.0, traced by torch 2.13.0.

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertModel().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids)))

class BertForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.bert(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class BertForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.bert(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class BertForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.bert(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = BertForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
