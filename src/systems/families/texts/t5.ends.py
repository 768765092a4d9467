# T5: T5EncoderModel of transformers 5.24.0, traced by torch 2.13.0.

class T5EncoderModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = T5Stack()
        self.encoder.embed_tokens.weight = self.shared.weight

    def forward(self, input_ids):
        return self.encoder(input_ids)

input_ids = Tensor((B, S), "int64")
model = T5EncoderModel().to(torch.bfloat16)
y = model(input_ids)

# T5: T5Model of transformers 5.24.0, traced by torch 2.13.0.

class T5Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = T5Stack()
        self.decoder = T5Stack2()
        self.encoder.embed_tokens.weight = self.shared.weight
        self.decoder.embed_tokens.weight = self.shared.weight

    def forward(self, input_ids, decoder_input_ids):
        return self.decoder(decoder_input_ids, self.encoder(input_ids))

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = T5Model().to(torch.bfloat16)
y = model(input_ids, decoder_input_ids)

# T5: T5ForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class T5EncoderModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = T5Stack()
        self.encoder.embed_tokens.weight = self.shared.weight

    def forward(self, ids):
        return self.encoder(ids)

class T5ForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = T5EncoderModel()
        self.classifier = nn.Linear(d_model, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = T5ForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# T5: T5ForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class T5ForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = T5Stack()
        self.decoder = T5Stack2()
        self.qa_outputs = nn.Linear(d_model, 2)
        self.encoder.embed_tokens.weight = self.shared.weight
        self.decoder.embed_tokens.weight = self.shared.weight

    def forward(self, input_ids, decoder_input_ids):
        qa_outputs = self.qa_outputs(self.decoder(decoder_input_ids, self.encoder(input_ids)))
        first, second = qa_outputs.split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = T5ForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids, decoder_input_ids)
