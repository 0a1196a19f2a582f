package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

// RECIPE

type pushRequest struct {
	Token      string
	Topic      *string
	Alert      string
	CollapseID *string `json:"collapse_id"`
	Expired    bool
}

type planned struct {
	Name     string
	Together bool
	Requests []pushRequest
}

type answer struct {
	Status    int     `json:"status,omitempty"`
	Reason    *string `json:"reason"`
	Timestamp *int64  `json:"timestamp,omitempty"`
	Error     string  `json:"error,omitempty"`
}

func send(client *http.Client, push pushRequest) answer {
	body, _ := json.Marshal(map[string]any{"aps": map[string]string{"alert": push.Alert}})
	request, err := http.NewRequest("POST", gateway+"/3/device/"+push.Token, bytes.NewReader(body))
	if err != nil {
		return answer{Error: err.Error()}
	}
	token := os.Getenv("TOKEN")
	if push.Expired {
		token = os.Getenv("OLD_TOKEN")
	}
	request.Header.Set("authorization", "bearer "+token)
	if push.Topic != nil {
		request.Header.Set("apns-topic", *push.Topic)
	}
	if push.CollapseID != nil {
		request.Header.Set("apns-collapse-id", *push.CollapseID)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	if response.ProtoMajor != 2 {
		return answer{Error: "not HTTP/2"}
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Error: err.Error()}
	}
	found := answer{}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &found); err != nil {
			return answer{Error: err.Error()}
		}
	}
	found.Status = response.StatusCode
	return found
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var plan []planned
	if err := json.Unmarshal(text, &plan); err != nil {
		log.Fatal(err)
	}
	client := makeClient()
	for _, one := range plan {
		answers := make([]answer, len(one.Requests))
		var sent sync.WaitGroup
		for index, push := range one.Requests {
			if !one.Together {
				answers[index] = send(client, push)
				continue
			}
			sent.Add(1)
			go func(index int, push pushRequest) {
				defer sent.Done()
				answers[index] = send(client, push)
			}(index, push)
		}
		sent.Wait()
		line, _ := json.Marshal(map[string]any{"name": one.Name, "answers": answers})
		fmt.Println(string(line))
	}
}
